// The statuses of a request, in the order in which it passes them.
export const STATUSES = ["draft", "pending", "in_progress", "completed", "cancelled"];

/** Whether a request is still worked on. */
export const isOpenRequest = ({ status }) => !["completed", "cancelled"].includes(status);
