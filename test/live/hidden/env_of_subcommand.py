import sys

sys.path.insert(0, "src")
import click
from click.testing import CliRunner


@click.group()
def tool():
    pass


@tool.command("user-add")
@click.option("--role", show_envvar=True)
@click.option("--home-dir")
def user_add(role, home_dir):
    click.echo(f"{role} {home_dir}")


@tool.command("list")
@click.option("--limit", type=int)
def list_(limit):
    click.echo(limit)


@tool.group("db-admin")
def db_admin():
    pass


@db_admin.command("re-index")
@click.option("--fast/--slow", default=False)
def re_index(fast):
    click.echo(fast)


def run(args, env, prefix="MYTOOL"):
    result = CliRunner().invoke(tool, args, env=env, auto_envvar_prefix=prefix)
    assert result.exit_code == 0, result.output
    return result.output.strip()


assert run(["list"], {"MYTOOL_LIST_LIMIT": "3"}) == "3"
env = {"MYTOOL_USER_ADD_ROLE": "admin", "MYTOOL_USER_ADD_HOME_DIR": "/h"}
assert run(["user-add"], env) == "admin /h"
assert run(["user-add", "--role", "guest"], env) == "guest /h"
assert "MYTOOL_USER_ADD_ROLE" in run(["user-add", "--help"], {})
assert run(["db-admin", "re-index"], {"MYTOOL_DB_ADMIN_RE_INDEX_FAST": "1"}) == "True"
assert run(["user-add"], {"MY_TOOL_USER_ADD_ROLE": "x"}, "my-tool") == "x None"
