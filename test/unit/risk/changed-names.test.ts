// Which names others can use, and which changes of them are none: where a name comes from, how a line breaks, and what a
// language hides.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { flagsIn } from "../../support/risk.ts";

const isPublic = (path: string, before: string, after: string) =>
  flagsIn(path, before, after).includes("public-api");

describe("flagsOf for names of Ruby", () => {
  const shop = (method: string, hidden = "price") =>
    `module Shop\n  class Cart\n    def ${method}\n      1\n    end\n\n    private\n\n    def ${hidden}\n      2\n    end\n  end\n\n  class Till\n    def open!\n    end\n  end\nend\n`;

  test("flags a method and a class that go", () => {
    assert.ok(isPublic("lib/cart.rb", shop("total(all)"), shop("total")));
    assert.ok(isPublic("lib/cart.rb", shop("total"), shop("sum")));
    assert.ok(isPublic("lib/cart.rb", shop("total"), shop("total").replace("open!", "close!")));
    assert.ok(isPublic("lib/cart.rb", shop("total"), shop("total").replace("class Till", "class Desk")));
  });

  test("flags what an accessor or an alias no longer gives", () => {
    const cart = (line: string) => `class Cart\n  ${line}\n\n  def open!\n  end\nend\n`;
    for (const [before, after] of [
      ["attr_reader :total, :size", "attr_reader :total"],
      ["attr_reader :total,\n              :size", "attr_reader :total"],
      ["attr_accessor :total", "attr_reader :total"],
      ["attr_writer :total", "attr_reader :total"],
      ["alias shut! open!", "alias close! open!"],
      ["alias_method :shut!, :open!", "# none"],
    ] as const)
      assert.ok(isPublic("lib/cart.rb", cart(before), cart(after)), before);
    for (const [before, after] of [
      ["attr_reader :total", "attr_accessor :size, :total"],
      ["attr_reader :total", "def total\n    @total\n  end"],
      ["private attr_reader :total", "private attr_reader :size"],
      ["private\n\n  attr_reader :total", "private\n\n  attr_reader :size"],
    ] as const)
      assert.ok(!isPublic("lib/cart.rb", cart(before), cart(after)), before);
  });

  test("does not flag what is private", () => {
    assert.ok(!isPublic("lib/cart.rb", shop("total"), shop("total", "cost")));
  });

  test("flags a class within a module whose own methods are private", () => {
    const inner = (name: string) =>
      `module Shop\n  private\n\n  module Desk\n    def ${name}\n    end\n  end\nend\n`;
    assert.ok(isPublic("lib/desk.rb", inner("ring"), inner("ring(twice)")));
  });
});

describe("flagsOf for a signature", () => {
  for (const [what, path, before, after] of [
    [
      "the result behind two type parameters",
      "src/a.rs",
      "pub fn on<A, B>(f: A) -> Seen<A, B> {\n}\n",
      "pub fn on<A, B>(f: A) -> Seen<B, B> {\n}\n",
    ],
    [
      "a method called like a statement",
      "src/a.ts",
      "export class A {\n  catch(f: () => B): C {\n  }\n}\n",
      "export class A {\n  catch(f: (b: B) => B): C {\n  }\n}\n",
    ],
    [
      "the parameters of what a module is",
      "src/a.js",
      "module.exports = options => {\n};\n",
      "module.exports = (options, input) => {\n};\n",
    ],
    [
      "a member of declarations without semicolons",
      "a.d.ts",
      "export class A {\n  run (a: B): void\n  stop (): void\n}\n",
      "export class A {\n  run (a: C): void\n  stop (): void\n}\n",
    ],
  ] as const)
    test(`flags ${what}`, () => {
      assert.ok(isPublic(path, before, after));
    });

  for (const [what, path, before, after] of [
    [
      "a name shown from another module",
      "src/lib.rs",
      "pub use self::parts::Url;\n",
      "pub use self::url::Url;\n",
    ],
    [
      "names exported from another file",
      "src/index.ts",
      'export { a, b } from "./x";\n',
      'export { a, b } from "./y";\n',
    ],
    [
      "a type named without its module",
      "src/a.py",
      "class Set(abc.MutableSet):\n    pass\n",
      "class Set(MutableSet):\n    pass\n",
    ],
    [
      "a value that an enum of shifted numbers gets",
      "src/a.rs",
      "pub enum Bit {\n    One = 1 << 0,\n    Two = 1 << 1,\n}\n",
      "pub enum Bit {\n    One = 1 << 0,\n    Two = 1 << 1,\n    Four = 1 << 2,\n}\n",
    ],
    [
      "a field behind one whose type is that of another type",
      "src/a.rs",
      "pub struct A {\n    pub of: Map<<B as C>::D, E>,\n    one: u8,\n}\n",
      "pub struct A {\n    pub of: Map<<B as C>::D, E>,\n    one: u16,\n}\n",
    ],
    ["the base of every class", "src/a.py", "class A(object):\n    pass\n", "class A:\n    pass\n"],
    [
      "a line that breaks before a base",
      "src/a.ts",
      "export interface A<T extends B = B> extends Def {\n  a: T;\n}\n",
      "export interface A<T extends B = B>\n  extends Def {\n  a: T;\n}\n",
    ],
    [
      "what is called for the default export",
      "src/a.ts",
      "export default define({\n  a: 1,\n});\n",
      "export default define({\n  a: 2,\n});\n",
    ],
    [
      "a function that has a name before it is exported",
      "src/a.js",
      "module.exports = options => {\n};\n",
      "const run = options => {\n};\nmodule.exports = run;\n",
    ],
    [
      "a private field of a tuple",
      "src/a.rs",
      "pub struct Lost(old::Lost);\n",
      "pub struct Lost(fresh::Lost);\n",
    ],
    [
      "semicolons of declarations",
      "a.d.ts",
      "export class A {\n  run(\n    a: B\n  ): void;\n  stop(): void;\n}\n",
      "export class A {\n  run (\n    a: B\n  ): void\n  stop (): void\n}\n",
    ],
    [
      "a name of a suite of tests",
      "src/shop/testsuite/basic.py",
      "class A:\n    def test_a(self):\n        assert run() == 1\n",
      "class A:\n    def test_b(self):\n        assert run() == 1\n",
    ],
  ] as const)
    test(`does not flag ${what}`, () => {
      assert.ok(!isPublic(path, before, after));
    });
});

describe("flagsOf for names of Scala", () => {
  const decoder = (members: string) =>
    `package shop\n\ntrait Decoder[A] {\n${members}\n}\n\nobject Decoder {\n  def apply[A](implicit one: Decoder[A]): Decoder[A] = one\n}\n`;

  test("flags what is gone, renamed or takes and gives something else", () => {
    const list =
      "  final def check(good: Cursor => Boolean, text: Cursor => String): Decoder[A] = new Decoder[A] {\n  }";
    for (const [before, after] of [
      [list, list.replace(", text", ")(text")],
      [list, list.replace("def check", "def verify")],
      [
        "  def read(text: String): Either[Lost, A] = go(text)",
        "  def read(text: String): Either[Gone, A] = go(text)",
      ],
      ["  val first: Int = 1", "  private val first: Int = 1"],
      ["  case class Item(name: String)", "  case class Item(title: String)"],
      ["  case object Left extends Move", ""],
    ] as const)
      assert.ok(isPublic("core/Decoder.scala", decoder(before), decoder(after)), before);
    assert.ok(isPublic("core/Decoder.scala", decoder(""), decoder("").replace("implicit ", "")));
  });

  test("does not flag what is hidden or local, and what a caller never writes", () => {
    const local = "  def run(): Unit = {\n    def inner(a: Int) = a\n    val one = 1\n  }";
    for (const [before, after] of [
      ["  private[this] def read(text: String): A = go", "  private[this] def read(bytes: Bytes): A = go"],
      ["  protected def read(text: String): A = go", "  protected def read(bytes: Bytes): A = go"],
      [local, local.replace("inner", "other").replace("one", "two")],
      ["  def read(text: String): A = go", "  override final def read(input: String): A = stop"],
      ["  def read(text: String) = go", "  def read(text: String): A = go"],
      ["  case class Item(name: String)", "  case class Item(name: String) extends Thing with Serializable"],
    ] as const)
      assert.ok(!isPublic("core/Decoder.scala", decoder(before), decoder(after)), before);
  });
});

describe("flagsOf for names that a module shows elsewhere", () => {
  const app = (line: string) =>
    `var app = exports = module.exports = {};\n\napp.get = function get(path) {\n};\n${line}\n`;
  const client = (method: string, shown = "module.exports = Client") =>
    `class Client extends Base {\n  constructor (options) {\n  }\n\n  ${method} (one) {\n  }\n}\n\n${shown}\n`;

  test("flags methods that go from a value or a class", () => {
    for (const [path, before, after] of [
      ["lib/app.js", app("app.del = old(app.delete);"), app("")],
      ["lib/app.js", app("app.put = function (a, b) {\n};"), app("app.put = function (a) {\n};")],
      ["index.js", client("load"), client("create")],
      [
        "index.js",
        client("load", "module.exports = { Client }"),
        client("create", "module.exports = { Client }"),
      ],
      ["index.js", client("load", "export { Client };"), client("create", "export { Client };")],
      ["lib/out.lua", "return function(options, runner)\nend\n", "return function(options)\nend\n"],
      [
        "src/main/kotlin/PropertySpec.kt",
        "class PropertySpec {\n  companion object {\n    @JvmStatic fun make(a: A)\n        = of(a)\n  }\n}\n",
        "class PropertySpec {\n  companion object {\n  }\n}\n",
      ],
    ] as const)
      assert.ok(isPublic(path, before, after), before);
  });

  test("does not flag what stays its own, or what a caller does not see", () => {
    for (const [path, before, after] of [
      ["index.js", client("load", "run(Client)"), client("create", "run(Client)")],
      ["index.js", client("_load"), client("_create")],
      [
        "lib/a.js",
        "exports.find = function find(path) {\n};\n",
        "exports.find = function find(name) {\n};\n",
      ],
      [
        "lib/a.js",
        "View.prototype.find = function find(path) {\n};\n",
        "View.prototype.find = function find(name) {\n};\n",
      ],
      [
        "src/A.java",
        "public interface A {\n  public B read(C c);\n}\n",
        "public interface A {\n  B read(C c);\n}\n",
      ],
      [
        "src/A.java",
        "public final class A {\n  public static B read(File in, String name) {\n  }\n}\n",
        'public final class A {\n  @SuppressWarnings("all")\n  public static B read(File in, @Nullable String name) {\n  }\n}\n',
      ],
      [
        "src/Rule.kt",
        "open class Rule(val id: String) {\n  fun visit(node: Node) {\n  }\n}\n",
        'open class Rule(val id: String) {\n  @Suppress("unused")\n  fun visit(node: Node) {\n  }\n}\n',
      ],
      [
        "package.json",
        '{\n  "browser": {\n    "get": false,\n    "put": false\n  }\n}\n',
        '{\n  "browser": {\n    "put": false\n  }\n}\n',
      ],
    ] as const)
      assert.ok(!isPublic(path, before, after), before);
    // Who gives values by their places gives others now.
    assert.ok(
      isPublic("lib/a.js", "exports.put = function (a, b) {\n};\n", "exports.put = function (b, a) {\n};\n"),
    );
  });
});
