import pathlib
import re
import sys
import warnings

sys.path.insert(0, "src")
import click
from click.testing import CliRunner

OLD = "token_" + "normalize_func"


def lower(token):
    return token.lower()


def caught(do):
    """What it gives, and how often the old name was warned of."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        result = do()
    own = [w for w in seen if issubclass(w.category, DeprecationWarning)]
    assert all(OLD in str(w.message) and "normalize_token" in str(w.message) for w in own), own
    return result, len(own)


command = click.Command("c")

# The new name, without a warning, also for what inherits it.
context, warned = caught(lambda: click.Context(command, normalize_token=lower))
assert (context.normalize_token, warned) == (lower, 0)
child, warned = caught(lambda: click.Context(command, parent=context))
assert (child.normalize_token, warned) == (lower, 0)
assert caught(lambda: click.Context(command))[0].normalize_token is None

# The old one does the same, and warns.
context, warned = caught(lambda: click.Context(command, **{OLD: lower}))
assert context.normalize_token is lower and warned == 1
value, warned = caught(lambda: getattr(context, OLD))
assert value is lower and warned == 1
_, warned = caught(lambda: setattr(context, OLD, str.upper))
assert context.normalize_token is str.upper and warned == 1
child, warned = caught(lambda: click.Context(command, parent=context))
assert child.normalize_token is str.upper and warned == 0

# Both at once is a mistake.
try:
    caught(lambda: click.Context(command, normalize_token=lower, **{OLD: lower}))
except TypeError:
    pass
else:
    raise AssertionError("both names were taken")


# A parser, a group and a choice use it, and nothing of click warns.
def tool(settings):
    @click.group(context_settings=settings)
    def cli():
        pass

    @cli.command()
    @click.option("--name")
    @click.option("--kind", type=click.Choice(["big", "small"]))
    def show(name, kind):
        click.echo(f"{name} {kind}")

    return cli


def run(settings):
    result = CliRunner().invoke(tool(settings), ["SHOW", "--NAME", "Ann", "--kind", "BIG"])
    assert result.exit_code == 0, result.output
    return result.output


assert caught(lambda: run({"normalize_token": lower})) == ("Ann big\n", 0)
output, warned = caught(lambda: run({OLD: lower}))
assert output == "Ann big\n" and warned >= 1

for path in ("src/click/parser.py", "src/click/types.py", "docs/advanced.md"):
    text = pathlib.Path(path).read_text()
    if path.endswith(".md"):
        # A note on the version may say what the setting was called before.
        text = re.sub(r"```\{versionchanged\}.*?```", "", text, flags=re.DOTALL)
    assert OLD not in text and "normalize_token" in text, path
# Tests of the old name may stand beside those of the new one.
assert "normalize_token" in pathlib.Path("tests/test_normalization.py").read_text()
