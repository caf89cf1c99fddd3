"""Mail: sends quotes that were asked for by e-mail, by SMTP, with their PDF."""

from glassflow.jobs.mail.mailer import Mailer

__all__ = ["Mailer"]
