"""A package with libchord in it is for one platform, though for any Python; without, it is for all."""
from pathlib import Path

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel


class Wheel(bdist_wheel):
    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = not (Path(__file__).parent / "sparsechord/lib").exists()

    def get_tag(self):
        _, _, platform = super().get_tag()
        return "py3", "none", "any" if self.root_is_pure else platform


setup(cmdclass={"bdist_wheel": Wheel})
