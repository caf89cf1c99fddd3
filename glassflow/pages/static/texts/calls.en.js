// The texts of the bar with the calls, in English.
export default {
  "callbar.label": "Calls for help",
  "callbar.stands": "machine stands",
  "callbar.kind_machine": "machine",
  "callbar.kind_glass": "glass or material",
  "callbar.kind_question": "question",
  "callbar.kind_other": "call",
  "callbar.called": "{name} called",
  "callbar.youCalled": "You called",
  "callbar.youGo": "You go to {station}",
  "callbar.take": "I go",
  "callbar.end": "It is done",
  "callbar.release": "I cannot",
  "callbar.taken": "{name} goes already",
  "callbar.ended": "This call has ended already",
  "callbar.more": "{count} more",
  "callbar.background": "Also in the background",
};
