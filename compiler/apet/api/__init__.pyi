"""The public names, each with the module that defines it: what type checkers and `apet.api` read."""

# Models and machines
from apet.api.any_file import load_model as load_model
from apet.api.models import compile as compile
from apet.api.models import compile_text as compile_text
from apet.api.models import load_machines as load_machines

# Traces
from apet.api.models import read_platform as read_platform
from apet.api.models import translate as translate

# Predictions and questions
from apet.api.predictions import predict as predict
from apet.api.predictions import predictor as predictor
from apet.api.predictions import quantiles as quantiles
from apet.api.predictions import simulate as simulate
from apet.api.questions import compare as compare
from apet.api.questions import explain as explain
from apet.api.questions import regions as regions
from apet.api.questions import solve as solve
from apet.api.questions import sweep as sweep
from apet.api.reports import report_page as report_page

# Types
from apet.cost.application import Application as Application
from apet.formula.formula import Formula as Formula
from apet.ground.diagnostics import ApetError as ApetError
from apet.ground.interval import Interval as Interval
from apet.prediction.prediction import Prediction as Prediction

# Runs and queues
from apet.queueing.answer import queue as queue
from apet.queueing.mva.symbolic import queue_formulas as queue_formulas
from apet.queueing.read.reader import read_queue as read_queue
from apet.runs.fit.methods import extrapolate as extrapolate
from apet.runs.read.reader import read_runs as read_runs
from apet.traces.front import check_trace as check_trace
from apet.traces.front import compile_trace as compile_trace
from apet.traces.front import convert_trace as convert_trace
from apet.traces.front import flat_trace as flat_trace
from apet.traces.front import read_trace as read_trace
from apet.traces.front import replay as replay
from apet.traces.front import trace_bounds as trace_bounds
from apet.traces.structure import explain_trace as explain_trace
from apet.traces.structure import fold_trace as fold_trace
