"""The model seam: what a call is, what a model is, and the wrappers that add one behaviour each around it."""

from kaozheng.models.messages import Call, Completion, Delta, Finish, Message
from kaozheng.models.model import Model, OnDelta
from kaozheng.models.usage import Usage

__all__ = ["Call", "Completion", "Delta", "Finish", "Message", "Model", "OnDelta", "Usage"]
