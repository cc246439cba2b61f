"""The HTTP interface: routes, what they are asked, what they answer, and every failure as a problem."""
