"""The search for similar items: questions, engines, ranking and answers."""
