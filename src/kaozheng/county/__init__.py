"""What is known of counties: regions by name, policies, enterprises, projects, tickets, and the store that keeps them.

Hard numbers stand here as rows with a name of their own (`row_id`); `figures` makes text of them, `importing` makes
them of tables.
"""
