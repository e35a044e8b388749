"""Shell: calls a command as a user does, inside this process or in one of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from pinyon.surfaces.cli.app import cli


@dataclass(frozen=True, slots=True)
class Shell:
    """Commands over one store, which does not exist until something is saved."""

    store: Path

    def __call__(
        self, *words: str, input: str | bytes | None = None, status: int = 0, **environment: str
    ) -> Result:
        """Run a command in this process; it must end with `status`."""
        env = {"PINYON_STORE": str(self.store), "COLUMNS": "80", **environment}
        result = CliRunner().invoke(cli, words, input=input, env=env)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == status, result.output
        return result

    def json(self, *words: str, input: str | bytes | None = None, status: int = 0) -> Any:
        """What a command prints with --json: one document and nothing else."""
        return json.loads(self(*words, "--json", input=input, status=status).stdout)

    def problem(self, *words: str, input: str | bytes | None = None) -> str:
        """The one line that a command fails with."""
        result = self(*words, input=input, status=1)
        assert result.stdout == ""
        (line,) = result.stderr.splitlines()
        return line

    def program(self, *words: str, input: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run a command in a process of its own."""
        return subprocess.run(
            program(*words),
            input=input,
            capture_output=True,
            check=False,
            env=self.environment(),
            timeout=60,
        )

    def environment(self, **more: str) -> Mapping[str, str]:
        return {**os.environ, "PINYON_STORE": str(self.store), **more}


def program(*words: str) -> list[str]:
    return [sys.executable, "-m", "pinyon", *words]
