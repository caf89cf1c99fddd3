// Which requests are still worked on.
import { CLOSED_REQUESTS } from "../../../core/record_terms.js";

/** Whether a request is still worked on. */
export const isOpenRequest = ({ status }) => !CLOSED_REQUESTS.includes(status);
