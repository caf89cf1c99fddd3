"""What the budgets of the pages promise beside their size: opening, scanning, a day."""
