"""What is only read and added up for pages: dashboard, timelines, sums, counts."""
