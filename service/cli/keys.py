"""Keys of those who may change something over HTTP: ``kindred keys``."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption, group

if TYPE_CHECKING:
    from service.operations.keys import Keys

app = group("keys", "Keys by which the service knows who asks.")


class _Role(StrEnum):
    """The names of the roles, without loading what uses them."""

    reader = "reader"
    curator = "curator"
    admin = "admin"


@app.command()
def add(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Whose key it is, in a few words.")],
    role: Annotated[_Role, typer.Option(help="What its holder may do.")] = _Role.reader,
    json: JsonOption = False,
) -> None:
    """Make a key and show it, this once: only a hash of it is kept."""
    context: Context = ctx.obj
    from service.operations.keys import Role

    key, token = _opened(context).add(name, Role(role))
    facts = {"id": key.id, "name": key.name, "role": key.role}
    context.say("key", {**facts, "key": token} if context.json else facts)
    if not context.json:
        # a line of its own, however long: it is there to be copied
        typer.echo(token)


@app.command("list")
def list_(ctx: typer.Context, json: JsonOption = False) -> None:
    """List every key that was made, revoked ones too; the keys themselves are not kept."""
    context: Context = ctx.obj
    from dataclasses import asdict

    from service.operations.keys import KeyUses

    uses = KeyUses(context.state.key_uses)
    rows = [{**asdict(key), "used": uses.last(key.id)} for key in _opened(context).all()]
    facts = ("id", "name", "role", "created", "used", "revoked")
    heads = (*facts[:4], "last used", "revoked")
    context.print_rows({"keys": rows}, heads, ([row[fact] or "" for fact in facts] for row in rows))


@app.command()
def revoke(
    ctx: typer.Context,
    key_id: Annotated[str, typer.Argument(help="The id of the key, as kindred keys list shows it.")],
    json: JsonOption = False,
) -> None:
    """Let a key count no more, at once, also where it is logged in. Doing so twice is fine."""
    context: Context = ctx.obj
    key = _opened(context).revoke(key_id)
    context.say("revoked", {"id": key.id, "name": key.name, "role": key.role, "revoked": key.revoked})


def _opened(context: Context) -> "Keys":
    from service.operations.keys import Keys

    return Keys(context.state.keys)
