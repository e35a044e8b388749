"""Help: every command and option explains itself, and every example can be called."""

import shlex
from collections.abc import Iterator

import click
import pytest

from pinyon.surfaces.cli.app import SECTIONS, cli
from tests.surfaces.cli.shell import Shell


def walk(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for part in command.list_commands(context):
            inner = command.get_command(context, part)
            assert inner is not None
            yield from walk(f"{name} {part}", inner)


COMMANDS = dict(walk("pinyon", cli))
NAMES = [name for name in COMMANDS if name != "pinyon"]


def test_the_help_lists_each_command_in_its_section(shell: Shell) -> None:
    text = shell("--help").stdout
    for section, commands in SECTIONS.items():
        part = text.split(f"\n{section}:\n")[1].split("\n\n")[0]
        assert [line.split()[0] for line in part.splitlines()] == list(commands)


def test_the_line_in_the_table_begins_the_help_of_the_command() -> None:
    for commands in SECTIONS.values():
        for name, line in commands.items():
            assert (COMMANDS[f"pinyon {name}"].help or "").split("\n")[0] == line


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_an_example_and_every_option_its_help(name: str) -> None:
    command = COMMANDS[name]
    assert command.help
    assert name in (command.epilog or "")
    options = [each for each in command.params if isinstance(each, click.Option)]
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_command_can_name_its_store(name: str) -> None:
    command = COMMANDS[name]
    named = {each.name for each in command.params}
    assert isinstance(command, click.Group) or "store" in named


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_a_call_that_parses(name: str) -> None:
    for words in examples(COMMANDS[name]):
        context: click.Command = cli
        rest = words
        while isinstance(context, click.Group):
            inner = context.get_command(click.Context(context), rest[0])
            assert inner is not None, words
            context, rest = inner, rest[1:]
        assert context.make_context("pinyon", rest).params, words


def examples(command: click.Command) -> Iterator[list[str]]:
    """The words after each `pinyon` of the examples, up to the next pipe or redirection."""
    for line in (command.epilog or "").splitlines()[2:]:
        words = shlex.split(line)
        while "pinyon" in words:
            words = words[words.index("pinyon") + 1 :]
            end = next((at for at, word in enumerate(words) if word in ("|", "<", ">")), None)
            call = words[:end]
            yield [*call, "ID"] if call == ["get"] else call  # xargs adds the ids
            words = words[len(call) :]
