"""Kaozheng (考证): documents, summaries and answers that lead back to their evidence."""
