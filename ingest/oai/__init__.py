"""OAI-PMH 2.0: records harvested from the servers of museums."""
