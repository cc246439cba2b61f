"""Runs the commands of the evaluation on the small pairs, under a configuration of a few features."""

import json
from pathlib import Path

import typer
from typer.testing import CliRunner, Result

from evaluation.commands import register
from service.cli.context import Context

DATA = Path(__file__).parents[1] / "data" / "typed"
TYPES = ["general", "author", "people", "time", "location", "event", "subject", "description"]
CONFIG = """
state: {{directory: {state}}}
systems:
  plain:
    title: two cosines
    regressor: linear
    features: [all_tfidf, title_tfidf]
    missing: 0
  T0:
    title: baseline
    regressor: one
    one:
      general: all_tfidf
      author: creator_tfidf
      people: person_tfidf
      time: date_tfidf
      location: location_tfidf
      event: verb_tfidf
      subject: subject_tfidf
      description: description_tfidf
    missing: 0
service: {{system: plain}}
"""
PROVIDERS = """
evaluation:
  providers:
    - {name: bridge, prefix: "north:b"}
    - {name: docks, prefix: "port:7"}
"""
LINKED = """
features:
  linked: {measure: link_vectors, scope: {}}
systems:
  linked:
    title: needs what is not there
    regressor: linear
    features: [all_tfidf, linked]
"""


def run(config: Path, *arguments: str | Path) -> Result:
    """What a command of the evaluation does under a configuration file."""
    app = typer.Typer()

    @app.callback()
    def start(ctx: typer.Context) -> None:
        ctx.obj = Context(config)

    register(app)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def document(result: Result) -> dict[str, object]:
    """The JSON that a command printed."""
    assert result.exception is None, result.exception
    answer = json.loads(result.stdout)
    assert isinstance(answer, dict)
    return answer
