"""A package with libchord in it is for one platform, though for any Python; without, it is for all."""
from pathlib import Path

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel


class WithLibrary(Distribution):
    def has_ext_modules(self) -> bool:
        return (Path(__file__).parent / "sparsechord/lib").exists()


class Wheel(bdist_wheel):
    def get_tag(self):
        _, _, platform = super().get_tag()
        return "py3", "none", platform


setup(distclass=WithLibrary, cmdclass={"bdist_wheel": Wheel})
