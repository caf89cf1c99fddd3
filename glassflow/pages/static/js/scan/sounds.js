// The sounds and vibrations of the verdicts on a scan, and of a call; they repeat what the page says.
import { signal } from "../../vendor/ui.js";

// Notes as [frequency in Hz, start and length in seconds]; vibrations in ms, as on, off, on.
const VERDICTS = {
  yes: {
    wave: "sine",
    notes: [
      [880, 0, 0.09],
      [1320, 0.1, 0.14],
    ],
    vibration: 60,
  },
  no: {
    wave: "sawtooth",
    notes: [
      [180, 0, 0.18],
      [150, 0.24, 0.32],
    ],
    vibration: [120, 60, 260],
  },
  kept: {
    wave: "sine",
    notes: [
      [660, 0, 0.09],
      [660, 0.16, 0.09],
    ],
    vibration: [40, 60, 40],
  },
  outside: {
    wave: "triangle",
    notes: [
      [660, 0, 0.09],
      [440, 0.12, 0.09],
      [660, 0.24, 0.09],
    ],
    vibration: [40, 60, 40, 60, 200],
  },
  call: {
    wave: "sine",
    notes: [
      [1047, 0, 0.16],
      [784, 0.18, 0.16],
      [1047, 0.36, 0.16],
      [784, 0.54, 0.3],
    ],
    vibration: [200, 100, 200],
  },
};
const VOLUME = 0.3;
const FADE_S = 0.01; // without it each note begins and ends with a click

/** Whether sounds can be heard; browsers allow them after a tap or a key only. */
export const soundOn = signal(false);

let audio = null;

/** Turn sounds on; to be called by a tap or a key. Never throws: a page works without. */
export async function unlock() {
  const Context = globalThis.AudioContext ?? globalThis.webkitAudioContext;
  try {
    if (!audio) {
      audio = new Context();
      // a call or another program may take the sound away
      audio.onstatechange = showState;
    }
    await audio.resume();
  } catch (error) {
    console.warn("There is no sound here", error);
  }
  showState();
}

function showState() {
  soundOn.value = audio?.state === "running";
}

/** Play the sound of a verdict ("yes", "no", "kept" or "outside") or of a "call", and let the device vibrate. */
export function play(verdict) {
  const { wave, notes, vibration } = VERDICTS[verdict];
  if (soundOn.value) for (const note of notes) playNote(wave, note);
  // browsers refuse to vibrate before the first tap, and log it as a fault
  if (globalThis.navigator?.userActivation?.hasBeenActive ?? true) globalThis.navigator?.vibrate?.(vibration);
}

function playNote(wave, [frequency, startS, lengthS]) {
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const start = audio.currentTime + startS;
  const end = start + lengthS;
  tone.type = wave;
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(VOLUME, start + FADE_S);
  volume.gain.setValueAtTime(VOLUME, end - FADE_S);
  volume.gain.linearRampToValueAtTime(0, end);
  tone.connect(volume);
  volume.connect(audio.destination);
  tone.start(start);
  tone.stop(end);
}
