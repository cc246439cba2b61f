"""Templates that say what they say in the language of who asks."""

from jinja2 import Environment

from service.languages.messages import gettext, initial, ngettext, pgettext, spoken


def speaking_templates(environment: Environment) -> Environment:
    """The environment; its templates have ``_``, ``ngettext``, ``page_language`` and a filter ``initial``."""
    environment.add_extension("jinja2.ext.i18n")
    # the extension adds this method to the environment
    environment.install_gettext_callables(gettext, ngettext, newstyle=True, pgettext=pgettext)  # type: ignore[attr-defined]
    environment.globals["page_language"] = spoken
    environment.filters["initial"] = initial
    return environment
