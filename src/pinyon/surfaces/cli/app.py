"""App: the `pinyon` command, the table of its commands, and what becomes of an error.

A command's module is imported when the command is called: `pinyon search` must not wait for what
only `pinyon index` needs.
"""

import keyword
import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from pinyon import __version__
from pinyon.model.errors import PinyonError
from pinyon.surfaces.cli.output import clean

SECTIONS = {
    "Ask": {
        "search": "Find records by meaning and by words.",
        "brief": "Show what matters now, without a question.",
        "get": "Show records by their ids.",
        "related": "Show the records that are linked with one.",
        "history": "Show what a record was before.",
        "feedback": "Say whether a hit was right.",
        "conflicts": "Show the records that contradict each other.",
    },
    "Write": {
        "save": "Write a record.",
        "update": "Change some fields of a record.",
        "correct": "Replace a record that was wrong, and keep it.",
        "forget": "Take records out of every answer.",
        "link": "Join two records.",
        "unlink": "Take a link away.",
        "tag": "Add, remove, rename and list tags.",
    },
    "Folders and files": {
        "index": "Read folders of notes, documents and code, or what changed in them.",
        "import": "Read records from a file of JSON Lines.",
        "export": "Write everything as JSON Lines.",
    },
    "Let others ask": {
        "serve": "Serve programs and a web page over HTTP.",
        "mcp": "Serve agents over MCP.",
        "token": "Say who may ask, and what they may do.",
    },
    "Care": {
        "embed": "Embed what waits to be found by meaning.",
        "model": "List, fetch, choose and drop models of meaning.",
        "stats": "Say how much the store holds, and what is asked of it.",
        "doctor": "Check the store, and repair it.",
        "backup": "Copy the store while it is in use.",
        "profile": "List the profiles of search, and show one.",
        "config": "Change a profile or a setting of the store.",
        "tier": "Search other stores beside this one.",
        "eval": "Measure profiles on labelled collections.",
        "tune": "Fit the weights of a profile to judged questions.",
        "demo": "See it work, on Pinyon's own documentation.",
    },
}
"""Each command with its line in the help. Its module has the same name, in `commands`."""


STREAMS = {"stdin": "r", "stdout": "w", "stderr": "w"}

REMEDY = "check the path, its permissions and the space that is left"


class Failure(click.ClickException):
    """Something that could not be done, said in one line."""

    def show(self, file: Any = None) -> None:
        click.echo(f"pinyon: {clean(self.message)}", err=True)


class Stopped(Failure):
    """The user pressed Ctrl-C."""

    exit_code = 130


class Commands(click.Group):
    """The commands of SECTIONS, each imported when it is wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for commands in SECTIONS.values() for name in commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name
        command = import_module(f"pinyon.surfaces.cli.commands.{module}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, self.list_commands(ctx)))
        for section, commands in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(widest), line) for name, line in commands.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except PinyonError as error:
            raise Failure(str(error)) from None
        except (KeyboardInterrupt, click.Abort):
            raise Stopped("stopped") from None
        except BrokenPipeError:  # nobody reads any more: | head
            ctx.exit(0)
        except OSError as error:
            if error.strerror is None:  # not from the system
                raise
            where = error.filename or "standard output"
            raise Failure(f"{where}: {error.strerror} ({REMEDY})") from None
        return result


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Each command has --help with an example. The store is the file named by --store, else "
    "by PINYON_STORE, else that of the nearest .pinyon/ folder upward, else your own.",
)
@click.version_option(__version__, "--version", prog_name="pinyon", message="%(prog)s %(version)s")
def cli() -> None:
    """Pinyon finds what you know: notes, memories, documents. All of it is in one file of yours."""


def main() -> None:
    """The console script: runs the command of `sys.argv` and ends the process."""
    for name, mode in STREAMS.items():
        if getattr(sys, name) is None:  # closed by whoever called: <&- or >&-
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  (stays)
    for stream in (sys.stdout, sys.stderr):
        # What is piped is UTF-8 everywhere; a terminal shows "?" for what it cannot.
        encoding = None if stream.isatty() else "utf-8"
        getattr(stream, "reconfigure", lambda **_: None)(encoding=encoding, errors="replace")
    try:
        cli.main(prog_name="pinyon")
    except SystemExit as ended:
        _leave(ended.code)


def _leave(code: str | int | None) -> None:
    """End at once: everything is closed, and taking the interpreter apart would cost 10 ms more,
    three times as long as a search."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))
