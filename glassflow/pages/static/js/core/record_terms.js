// Printed by `flask docs` from glassflow/domain.

export const ORDER_STATUSES = ["pending", "in_progress", "completed", "cancelled"];

export const OPEN_ORDERS = ["pending", "in_progress"];

export const REQUEST_STATUSES = ["draft", "pending", "in_progress", "completed", "cancelled"];

export const CLOSED_REQUESTS = ["completed", "cancelled"];

export const CLAIM_STATUSES = ["pending", "approved", "rejected"];

export const CLAIM_DECISIONS = ["destroy", "keep"];

export const WITHDRAWAL_STATUSES = ["pending", "approved", "rejected"];

export const DEFECTS = ["broken", "chipped", "dimension_wrong", "scratch", "stain", "other"];

export const QUOTE_STATUSES = ["draft", "sent", "accepted", "rejected", "expired", "superseded"];

export const DELIVERY_STATUSES = ["planned", "delivered", "returned"];

export const PLAN_STATUSES = ["proposed", "released", "cutting", "done", "cancelled"];

export const STOCK_TYPES = ["Raw", "Reuse"];

export const PRIORITIES = ["low", "medium", "high", "urgent"];
