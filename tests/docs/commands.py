"""Commands: the page docs/reference/commands.md, made from the commands themselves."""

from collections.abc import Iterator

import click

from pinyon.surfaces.cli.app import SECTIONS, cli


def commands() -> str:
    """The whole page, the same on every machine."""
    ctx = click.Context(cli, info_name="pinyon")
    lines = [
        "# Commands",
        "",
        "Every command ends with 0 when it is done, 1 when it could not be done (the reason and",
        "the remedy stand in one line on standard error), 2 when it was called wrongly, and 130",
        "when it was stopped. The answer goes to standard output, text or JSON; progress and",
        "warnings go to standard error.",
        "",
    ]
    for section, names in SECTIONS.items():
        lines += [f"## {section}", ""]
        for name in names:
            command = cli.get_command(ctx, name)
            assert command is not None
            lines += _command(f"pinyon {name}", command, 3)
    return "\n".join(lines).rstrip() + "\n"


def _command(name: str, command: click.Command, level: int) -> Iterator[str]:
    inner = command.commands if isinstance(command, click.Group) else {}
    yield f"{'#' * level} `{name}`"
    yield ""
    for paragraph in (command.help or "").split("\n\n"):
        yield " ".join(paragraph.split())
        yield ""
    if not inner:
        arguments = [_argument(each) for each in command.params if isinstance(each, click.Argument)]
        yield from _code(" ".join([name, *arguments, "[OPTIONS]"]))
        options = [each for each in command.params if isinstance(each, click.Option)]
        yield "| option | meaning |"
        yield "|---|---|"
        for option in options:
            yield f"| {_option(option)} | {_meaning(option)} |"
        yield ""
    if command.epilog:
        yield from _code(*(line.strip() for line in command.epilog.split("\n")[2:]))
    for part, each in inner.items():
        yield from _command(f"{name} {part}", each, level + 1)


def _code(*lines: str) -> Iterator[str]:
    yield "```sh"
    yield from lines
    yield "```"
    yield ""


def _argument(argument: click.Argument) -> str:
    name = argument.metavar or (argument.name or "").upper()
    if argument.nargs == -1 and not name.endswith("..."):
        name += "..."
    return name if argument.required else f"[{name}]"


def _option(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in option.opts)
    return names if option.is_flag else f"{names} `{_value(option)}`"


def _value(option: click.Option) -> str:
    if isinstance(option.type, click.Choice):
        return r"\|".join(option.type.choices)
    return option.metavar or option.type.name.upper()


def _meaning(option: click.Option) -> str:
    default = f" Default: `{option.default}`." if option.show_default else ""
    return f"{option.help}{default}".replace("|", r"\|").replace("<", "&lt;")
