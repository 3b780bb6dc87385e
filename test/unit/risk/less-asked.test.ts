// Tests that ask for less although each assertion is still there, and tests that go as a whole.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsIn, flagsOf } from "../../support/risk.ts";

const isWeaker = (path: string, before: string, after: string) =>
  flagsIn(path, before, after).includes("test-weakened");
const isGone = (path: string, before: string) =>
  flagsOf({ path, before, after: undefined }).some(({ flags }) => flags.includes("test-weakened"));

type Row = readonly [what: string, path: string, before: string, weaker: string, same: string];

function weakening(rows: readonly Row[]): void {
  for (const [what, path, before, weaker, same] of rows)
    test(`${path}: ${what}`, () => {
      assert.ok(isWeaker(path, before, weaker), weaker);
      assert.ok(!isWeaker(path, before, same), same);
    });
}

const js = (lines: string) => `it("a", () => {\n${lines}});\n`;
const go = (lines: string) => `func TestA(t *testing.T) {\n${lines}}\n`;
const python = (lines: string) => `def test_a():\n${lines}`;

describe("flagsOf for an assertion that is not always asked", () => {
  weakening([
    [
      "a condition around it",
      "a.test.ts",
      js("  expect(a()).toBe(1);\n"),
      js("  if (ready) {\n    expect(a()).toBe(1);\n  }\n"),
      js("  for (const a of all) {\n    expect(a()).toBe(1);\n  }\n"),
    ],
    [
      "a condition around it",
      "test_a.py",
      python("    assert a() == 1\n"),
      python("    if fast:\n        assert a() == 1\n"),
      python("    with b():\n        assert a() == 1\n"),
    ],
    [
      "a return before it",
      "a_test.go",
      go("\ta()\n\tassert.Equal(t, 1, b())\n"),
      go("\ta()\n\treturn\n\tassert.Equal(t, 1, b())\n"),
      go("\ta()\n\tc()\n\tassert.Equal(t, 1, b())\n"),
    ],
    [
      "a return before it",
      "test_a.py",
      python("    a()\n    assert b() == 1\n"),
      python("    a()\n    return\n    assert b() == 1\n"),
      python("    a()\n    c()\n    assert b() == 1\n"),
    ],
    [
      "a condition that never holds",
      "a.test.js",
      js("  if (a) {\n    b();\n  }\n"),
      js("  if (false) {\n    b();\n  }\n"),
      js("  if (d) {\n    b();\n  }\n"),
    ],
    [
      "a condition for the build",
      "a_test.go",
      `package a\n\n${go("\ta()\n")}`,
      `//go:build slow\n\npackage a\n\n${go("\ta()\n")}`,
      `// Of a.\n\npackage a\n\n${go("\ta()\n")}`,
    ],
  ]);
});

describe("flagsOf for an assertion that asks for less", () => {
  weakening([
    [
      "a part of the list",
      "a.test.ts",
      js("  expect(a()).toMatchObject({\n    b: 1,\n    c: 2,\n  });\n"),
      js("  expect(a()).toMatchObject({\n    b: 1,\n  });\n"),
      js("  expect(a()).toMatchObject({\n    b: 1,\n    c: 3,\n  });\n"),
    ],
    [
      "a condition of several",
      "a_test.dart",
      "test('a', () {\n  expect(b, allOf([\n    isA<C>(),\n    (e) => e.d,\n  ]));\n});\n",
      "test('a', () {\n  expect(b, allOf([\n    isA<C>(),\n  ]));\n});\n",
      "test('a', () {\n  expect(b, allOf([\n    isA<C>(),\n    (e) => e.f,\n  ]));\n});\n",
    ],
    [
      "a link of a chain",
      "ATest.java",
      '@Test void a() {\n  assertThat(e)\n      .isInstanceOf(B.class)\n      .hasMessage("c");\n}\n',
      "@Test void a() {\n  assertThat(e)\n      .isInstanceOf(B.class);\n}\n",
      '@Test void a() {\n  assertThat(e)\n      .isInstanceOf(B.class)\n      .hasMessage("d");\n}\n',
    ],
    [
      "any value",
      "ATest.java",
      "@Test void a() {\n  verify(b).c(1);\n}\n",
      "@Test void a() {\n  verify(b).c(anyInt());\n}\n",
      "@Test void a() {\n  verify(b).c(2);\n}\n",
    ],
    [
      "a looser condition",
      "a_test.go",
      go('\tif got != want {\n\t\tt.Fatal("a")\n\t}\n'),
      go('\tif !strings.Contains(got, want) {\n\t\tt.Fatal("a")\n\t}\n'),
      go('\tif got != other {\n\t\tt.Fatal("a")\n\t}\n'),
    ],
    [
      "a tolerance",
      "ATests.cs",
      "[Fact]\npublic void A() {\n  b.ShouldBe(TimeSpan.FromSeconds(1));\n}\n",
      "[Fact]\npublic void A() {\n  b.ShouldBe(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2));\n}\n",
      '[Fact]\npublic void A() {\n  b.ShouldBe(TimeSpan.FromSeconds(1), "c");\n}\n',
    ],
    [
      "a tolerance",
      "ATest.java",
      "@Test void a() {\n  assertEquals(1, b());\n}\n",
      "@Test void a() {\n  assertEquals(1, b(), 0.1);\n}\n",
      "@Test void a() {\n  assertEquals(2, b());\n}\n",
    ],
    [
      "a tolerance",
      "a_spec.rb",
      'it "a" do\n  expect(b).to eq(1)\nend\n',
      'it "a" do\n  expect(b).to be_within(1).of(1)\nend\n',
      'it "a" do\n  expect(b).to eq(2)\nend\n',
    ],
    [
      "any exception",
      "tests/ATest.php",
      "public function testA() {\n  $this->expectException(B::class);\n}\n",
      "public function testA() {\n  $this->expectException(\\Exception::class);\n}\n",
      "public function testA() {\n  $this->expectException(C::class);\n}\n",
    ],
    [
      "a ceiling",
      "ATest.java",
      "@Test void a() {\n  assertTrue(b() - c < 1000);\n}\n",
      "@Test void a() {\n  assertTrue(b() - c < 2000);\n}\n",
      "@Test void a() {\n  assertTrue(b() - c < 500);\n}\n",
    ],
    [
      "another order",
      "ATest.scala",
      'test("a") {\n  b ==> Seq(1, 2)\n}\n',
      'test("a") {\n  b.toSet ==> Set(1, 2)\n}\n',
      'test("a") {\n  b ==> Seq(1, 3)\n}\n',
    ],
    [
      "a pattern",
      "tests/ATest.php",
      "public function testA() {\n  $b\n    ->with('c')\n    ->once();\n}\n",
      "public function testA() {\n  $b\n    ->with(Mockery::pattern('/c/'))\n    ->once();\n}\n",
      "public function testA() {\n  $b\n    ->with('d')\n    ->once();\n}\n",
    ],
    [
      "only what is true, in several lines",
      "test_a.py",
      python("    assert a(1) == 1\n"),
      python("    assert a(\n        1\n    )\n"),
      python("    assert a(\n        1, b=2\n    ) == 1\n"),
    ],
    [
      "one condition fewer",
      "test.c",
      '  test("a: ");\n  test_cond(b == 1);\n  test_cond(c == 2);\n',
      '  test("a: ");\n  test_cond(b == 1);\n',
      '  test("a: ");\n  test_cond(b == 1);\n  test_cond(c == 3);\n',
    ],
    [
      "fewer runs",
      "test_a.py",
      "@settings(max_examples=500)\ndef test_a(a):\n    assert b(a) == 1\n",
      "@settings(max_examples=50)\ndef test_a(a):\n    assert b(a) == 1\n",
      "@settings(max_examples=900)\ndef test_a(a):\n    assert b(a) == 1\n",
    ],
    [
      "fewer cases in a line",
      "test_a.py",
      '@pytest.mark.parametrize("a", [1, 2, 3])\ndef test_a(a):\n    assert b(a) == 1\n',
      '@pytest.mark.parametrize("a", [1, 2])\ndef test_a(a):\n    assert b(a) == 1\n',
      '@pytest.mark.parametrize("a", [1, 2, 4])\ndef test_a(a):\n    assert b(a) == 1\n',
    ],
    [
      "a case of a provider",
      "tests/ATest.php",
      "public function dataOfA() {\n  return [\n    'a' => [1, 2],\n    'b' => [3, 4],\n  ];\n}\n",
      "public function dataOfA() {\n  return [\n    'a' => [1, 2],\n  ];\n}\n",
      "public function dataOfA() {\n  return [\n    'a' => [1, 2],\n    'b' => [3, 5],\n  ];\n}\n",
    ],
    [
      "a case",
      "tests/a.rs",
      "#[rstest]\n#[case(1, 2)]\n#[case(3, 4)]\nfn a(#[case] b: u8) {\n    assert_eq!(b, 1);\n}\n",
      "#[rstest]\n#[case(1, 2)]\nfn a(#[case] b: u8) {\n    assert_eq!(b, 1);\n}\n",
      "#[rstest]\n#[case(1, 2)]\n#[case(3, 5)]\nfn a(#[case] b: u8) {\n    assert_eq!(b, 1);\n}\n",
    ],
  ]);
});

describe("flagsOf for a time limit that is raised", () => {
  weakening(
    (
      [
        [
          "a_test.go",
          "\tc := http.Client{Timeout: time.Second * 5}\n",
          "time.Second * 5",
          "time.Second * 60",
        ],
        ["a_test.go", "\tctx, end := context.WithTimeout(ctx, 5*time.Second)\n", "5*time", "50*time"],
        ["a_test.go", "\tif elapsed > 5*time.Second {\n\t\tt.Fatal(a)\n\t}\n", "5*time", "50*time"],
        ["tests/a.rs", "    timeout(Duration::from_secs(5), a()).await;\n", "(5)", "(50)"],
        ["ATests.cs", "    await a.WaitAsync(TimeSpan.FromSeconds(5));\n", "(5)", "(50)"],
        ["ATest.kt", "    withTimeout(5.seconds) { a() }\n", "5.s", "50.s"],
        ["ATest.java", "    await().atMost(5, TimeUnit.SECONDS);\n", "5,", "50,"],
        ["a_test.dart", "  await a.timeout(Duration(seconds: 5));\n", "5)", "50)"],
        ["Tests/ATests.m", "static const NSTimeInterval kAsyncExpectationTimeout = 5.0f;\n", "5.0", "50.0"],
        ["test_a.py", "    a.join(timeout=5)\n", "=5", "=50"],
      ] as const
    ).map(
      ([path, line, from, to]): Row => [
        "a limit",
        path,
        line,
        line.replace(from, to),
        line.replace(from, from.replace("5", "4")),
      ],
    ),
  );
});

describe("flagsOf for a test that is left out", () => {
  const scala = (head: string) => `${head} {\n  assert(a() == 1)\n}\n`;
  weakening([
    ["skipped", "ATest.scala", scala('test("a")'), scala('ignore("a")'), scala('test("b")')],
    ["skipped", "ATest.scala", scala('test("a")'), scala('test("a".ignore)'), scala('test("b")')],
    [
      "skipped on one system",
      "a.test.js",
      'test("a", { skip: false }, () => {\n  assert.equal(a(), 1);\n});\n',
      'test("a", { skip: isWindows }, () => {\n  assert.equal(a(), 1);\n});\n',
      'test("b", { skip: false }, () => {\n  assert.equal(a(), 1);\n});\n',
    ],
    [
      "skipped where something is missing",
      "ATests.cs",
      "[Fact]\npublic void A() {\n  a();\n}\n",
      "[Fact]\npublic void A() {\n  Skip.If(b);\n  a();\n}\n",
      "[Fact]\npublic void A() {\n  b();\n  a();\n}\n",
    ],
    [
      "tried again",
      "ATests.cs",
      "[Test]\npublic void A() {\n  a();\n}\n",
      "[Test, Retry(3)]\npublic void A() {\n  a();\n}\n",
      "[Test, Order(3)]\npublic void A() {\n  a();\n}\n",
    ],
  ]);

  test("tells a test that is tried again from one of something that tries again", () => {
    const one = 'it("a", async () => {\n  await get("b");\n});\n';
    assert.ok(isWeaker("a.test.ts", one, one.replace('"a", ', '"a", { retry: 3 }, ')));
    assert.ok(!isWeaker("a.test.ts", one, one.replace('"b"', '"b", { retry: 3 }')));
    const python_ = "def test_a():\n    assert a(1) == 1\n";
    assert.ok(isWeaker("test_a.py", python_, `@pytest.mark.flaky(reruns=3)\n${python_}`));
    assert.ok(!isWeaker("test_a.py", python_, python_.replace("(1)", "(1, retries=3)")));
    const scala = 'test("a") - {\n  b()\n}\n';
    assert.ok(isWeaker("ATest.scala", scala, scala.replace("- {", "- retry(3) {")));
  });

  test("hears of a script that goes, whatever it asks with", () => {
    assert.ok(isGone("test/6_a.sh", ". ./functions.sh\nexpect 0 a\n"));
    assert.ok(isGone("lua/tests/pickers/a.lua", 'tester.pick("a")\n'));
    assert.ok(isGone("test-tap/a/b.js", 'test("a", t => {\n  t.ok(b());\n});\n'));
    const two = 'test("a", t => {\n  t.is(a(), 1);\n});\n\ntest("b", t => {\n  t.is(b(), 1);\n});\n';
    assert.ok(isWeaker("test.js", two, two.replace(/\ntest\("b"[\s\S]*/, "")));
    assert.ok(!isGone("test/functions.sh", "expect() {\n  a\n}\n"));
    assert.ok(!isGone("example/upload_test.dart", "void main() {\n  run();\n}\n"));
    assert.ok(!isGone("export_test.go", "package a\n\nvar B = b\n"));
  });
});
