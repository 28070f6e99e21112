"""Pages from outside addresses, which a document or a model may have named: a guard at connect time, then main text."""
