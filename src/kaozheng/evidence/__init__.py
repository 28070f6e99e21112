"""Evidence: which place of which source carries a statement, whether numbers agree, where sources contradict."""
