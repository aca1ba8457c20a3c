"""Spack's recipe. APET has no address to download from yet: `make release` writes the source distribution into dist;
put it into the directory where Spack is called. Tests hold version and dependencies against pyproject.toml."""

import os

from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import *  # noqa: F403  # as every recipe of Spack begins


class Apet(PythonPackage):
    """Predicts the run time of parallel programs as formulas you can read, with guaranteed bounds."""

    manual_download = True

    license("MIT")

    version("0.1.0")

    variant("mpi", default=True, description="an MPI to record programs with")

    depends_on("c", type="build")
    depends_on("python@3.11:", type=("build", "run"))
    depends_on("py-hatchling@1.27:1", type="build")

    depends_on("py-javalang@0.13:0", type=("build", "run"))
    depends_on("py-jinja2@3.1:3", type=("build", "run"))
    depends_on("py-lark@1.2:1", type=("build", "run"))
    depends_on("py-matplotlib@3.8:3", type=("build", "run"))
    depends_on("py-mpmath@1.3:1", type=("build", "run"))
    depends_on("py-numpy@1.26:2", type=("build", "run"))
    depends_on("py-scipy@1.11:1", type=("build", "run"))
    depends_on("py-shtab@1.13:1", type=("build", "run"))
    depends_on("py-sympy@1.14:1", type=("build", "run"))
    depends_on("py-tree-sitter@0.23:0", type=("build", "run"))
    depends_on("py-tree-sitter-java@0.23:0", type=("build", "run"))

    depends_on("mpi", when="+mpi", type="run")

    def url_for_version(self, version):
        return f"file://{os.getcwd()}/apet-{version}.tar.gz"
