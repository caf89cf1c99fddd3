"""Where the settings profiles and the seeds are.

In the repository they are beside the package, in `config/` and `seeds/`; a wheel has
them inside the package, where `setup.py` puts them.
"""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
REPOSITORY = PACKAGE.parent
IN_WHEEL = (PACKAGE / "profiles").is_dir()

PROFILES = PACKAGE / "profiles" if IN_WHEEL else REPOSITORY / "config"
SEEDS = PACKAGE / "seeds" if IN_WHEEL else REPOSITORY / "seeds"


def working_folder() -> Path:
    """Return the directory that a relative DATA_DIR is relative to.

    It is the repository, wherever a command is started; for an installed wheel, which
    has none, it is the current directory.
    """
    return Path.cwd() if IN_WHEEL else REPOSITORY
