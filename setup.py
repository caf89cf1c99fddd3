"""The files of the wheel that setup.cfg cannot express: profiles and seeds.

They are at the top of the repository, and inside the package in a wheel
(`glassflow/host/data_files.py` finds either).
"""

from setuptools import find_packages, setup

PROFILES = ("default", "development", "testing", "production", "compat")

setup(
    packages=[*find_packages(include=["glassflow", "glassflow.*"]), "glassflow.seeds"],
    py_modules=[f"glassflow.profiles.{name}" for name in PROFILES],
    package_dir={"glassflow.profiles": "config", "glassflow.seeds": "seeds"},
    package_data={
        "glassflow.seeds": ["**/*.json", "**/*.jpg", "**/*.png"],
        "glassflow.pages": ["shell.html", "sw.js", "static/**", "joined/**"],
        "glassflow.api_docs": ["static/*", "examples.json"],
        "glassflow.drawing": ["fonts/*"],
    },
)
