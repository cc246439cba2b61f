"""Keys of those who may change something over HTTP: ``kindred keys``."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption

if TYPE_CHECKING:
    from service.web.access.keys import Keys

keys = typer.Typer(name="keys", help="Keys by which the service knows who asks.", no_args_is_help=True)


class _Role(StrEnum):
    """The names of the roles, without loading what uses them."""

    reader = "reader"
    curator = "curator"
    admin = "admin"


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.add_typer(keys)


@keys.command()
def add(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Whose key it is, in a few words.")],
    role: Annotated[_Role, typer.Option(help="What its holder may do.")] = _Role.reader,
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Make a key and show it, this once: only a hash of it is kept."""
    context: Context = ctx.obj
    from service.web.access.keys import Role

    made, token = _opened(context).add(name, Role(role))
    facts = {"id": made.id, "name": made.name, "role": made.role}
    context.say("key", {**facts, "key": token} if context.json else facts)
    if not context.json:
        # a line of its own, however long: it is there to be copied
        typer.echo(token)


@keys.command("list")
def list_(ctx: typer.Context, json: JsonOption = False) -> None:  # noqa: ARG001 - see JsonOption
    """List every key that was made, revoked ones too; the keys themselves are not kept."""
    context: Context = ctx.obj
    from dataclasses import asdict

    from service.web.access.keys import KeyUses

    uses = KeyUses(context.settings.state.key_uses)
    found = [(key, uses.last(key.id)) for key in _opened(context).all()]
    if context.json:
        context.print_json({"keys": [{**asdict(key), "used": used} for key, used in found]})
        return
    from rich.markup import escape
    from rich.table import Table

    table = Table("id", "name", "role", "created", "last used", "revoked", box=None)
    for key, used in found:
        table.add_row(key.id, escape(key.name), key.role, key.created, used or "", key.revoked or "")
    context.console.print(table)


@keys.command()
def revoke(
    ctx: typer.Context,
    key_id: Annotated[str, typer.Argument(help="The id of the key, as kindred keys list shows it.")],
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Let a key count no more, at once, also where it is logged in. Doing so twice is fine."""
    context: Context = ctx.obj
    done = _opened(context).revoke(key_id)
    context.say("revoked", {"id": done.id, "name": done.name, "role": done.role, "revoked": done.revoked})


def _opened(context: Context) -> "Keys":
    from service.web.access.keys import Keys

    return Keys(context.settings.state.keys)
