"""Plans a question: what is wanted, of what, with everything that it refers to named."""

from kaozheng.roles.planner.request import PlanTask, Target, TaskRequest

__all__ = ["PlanTask", "Target", "TaskRequest"]
