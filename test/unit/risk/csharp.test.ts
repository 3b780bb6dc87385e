// Changes to C# files: its members in namespaces, its attributes, and errors that are caught without a name.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsIn } from "../../support/risk.ts";

const inClass = (members: string, modifiers = "public") =>
  `namespace Shop.Orders\n{\n    ${modifiers} class Basket : IBasket,\n        IDisposable\n    {\n${members}\n    }\n}\n`;

describe("flagsOf for public names in C#", () => {
  const changing = (before: string, after: string, modifiers?: string) =>
    flagsIn("src/Basket.cs", inClass(before, modifiers), inClass(after, modifiers));

  test("flags a changed method, property and constructor of a public class", () => {
    for (const [before, after] of [
      ["        public int Sum(int a) { return a; }", "        public int Sum(int a, int b) { return a; }"],
      ["        public int Size { get; }", "        public long Size { get; }"],
      ["        public Basket(int size) { }", "        public Basket(int size, string name) { }"],
      ["        public const int Most = 3;", "        private const int Most = 3;"],
    ] as const)
      assert.deepEqual(changing(before, after), ["public-api"], before);
  });

  test("does not flag a body, a modifier of it, or a member that nobody can use", () => {
    for (const [before, after, modifiers] of [
      ["        public int Sum() { return 1; }", "        public int Sum() => 1 + 1;"],
      ["        public Task Run() => go();", "        public override async Task Run() => await go();"],
      ["        private int Sum(int a) => a;", "        private int Sum(int a, int b) => a;"],
      ["        public int Sum(int a) => a;", "        public int Sum(int a, int b) => a;", "internal"],
      ["        public const int Most = 3;", "        public const int Most = 4;"],
    ] as const)
      assert.deepEqual(changing(before, after, modifiers), [], before);
  });

  test("flags a class that goes, and a value that an enum loses", () => {
    const before =
      "namespace A;\n\npublic enum Kind\n{\n    One,\n    Two,\n}\n\npublic record Order(int Id);\n";
    assert.deepEqual(flagsIn("src/Kind.cs", before, before.replace("    Two,\n", "")), ["public-api"]);
    assert.deepEqual(flagsIn("src/Kind.cs", before, before.replace("public record Order(int Id);\n", "")), [
      "public-api",
    ]);
  });
});

describe("flagsOf for tests in C#", () => {
  const changing = (before: string, after: string) => flagsIn("Shop.Tests/BasketTests.cs", before, after);
  const testing = (line: string) =>
    `public class BasketTests\n{\n    [Fact]\n    public void Sums()\n    {\n${line}    }\n}\n`;

  test("flags assertions that go or demand less, a test that goes and one that is skipped", () => {
    const exact = "        Assert.Equal(3, Sum());\n";
    for (const after of ["", "        Assert.NotNull(Sum());\n", "        Sum().Should().NotBeNull();\n"])
      assert.deepEqual(changing(testing(exact), testing(after)), ["test-weakened"], after);
    const fluent = "        Sum().Should().Be(3);\n";
    assert.deepEqual(changing(testing(fluent), testing(exact)), []);
    assert.deepEqual(changing(testing(exact), "public class BasketTests\n{\n}\n"), ["test-weakened"]);
    const skipped = testing(exact).replace("[Fact]", '[Fact(Skip = "flaky")]');
    assert.deepEqual(changing(testing(exact), skipped), ["test-weakened"]);
  });
});

describe("flagsOf for what C# keeps quiet", () => {
  test("flags an empty catch without a name, and one that returns a default", () => {
    const trying = (rest: string) =>
      inClass(`        void Run()\n        {\n            try { Go(); }\n${rest}\n        }`);
    const before = trying("            catch (IOException e) { Log(e); throw; }");
    for (const quiet of [
      "            catch { /* nobody cares */ }",
      "            catch (IOException) when (isOld) { }",
      "            catch (IOException e) { return default; }",
    ])
      assert.deepEqual(flagsIn("src/Basket.cs", before, trying(quiet)), ["errors-swallowed"], quiet);
  });

  test("flags a pragma, and a warning more that a project file leaves out", () => {
    const quiet = "#pragma warning disable CA1822\npublic class A { }\n";
    assert.deepEqual(flagsIn("src/A.cs", "public class A { }\n", quiet), ["check-silenced"]);
    const restored = `${quiet}#pragma warning restore CA1822\n`;
    assert.deepEqual(flagsIn("src/A.cs", quiet, restored), []);
    const project = (codes: string) => `<Project>\n  <NoWarn>$(NoWarn);${codes}</NoWarn>\n</Project>\n`;
    assert.ok(flagsIn("Build.props", project("CS1591"), project("CS1591;CS0618")).includes("check-silenced"));
    assert.ok(
      !flagsIn("Build.props", project("CS1591;CS0618"), project("CS1591")).includes("check-silenced"),
    );
  });
});
