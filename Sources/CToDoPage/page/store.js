// Holds the state, applies actions to it, and tells who draws it.

import { initialState, reduce } from "./state.js";

export class Store {
  /** What is to be done when the server is reachable again. */
  cameBack = () => {};
  state = { ...initialState, now: Date.now() };
  #draw = () => {};
  #isScheduled = false;
  #focus = null;

  /** Draws the state before the next frame, after each action. */
  onChange(draw) {
    this.#draw = draw;
  }

  dispatch(action) {
    const before = this.state;
    this.state = reduce(before, action);
    if (this.state !== before) this.schedule();
  }

  set(values) {
    this.dispatch({ type: "set", values });
  }

  schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.#isScheduled = false;
    this.#draw(this.state);
    if (!this.#focus) return;
    const element = document.querySelector(this.#focus);
    this.#focus = null;
    element?.focus({ preventScroll: true });
  }

  /** Moves the focus once the state is drawn. */
  focus(selector) {
    this.#focus = selector;
    this.schedule();
  }

  /** Asks a question, and returns the chosen value, or undefined. */
  ask(question) {
    return new Promise((resolve) => {
      const opener = document.activeElement;
      const answer = (value) => {
        this.set({ dialog: null });
        // Returns the focus to where it was, once the dialog is gone.
        requestAnimationFrame(() => {
          if (document.activeElement === document.body) opener?.focus?.({ preventScroll: true });
        });
        resolve(value);
      };
      this.set({ dialog: { ...question, answer } });
    });
  }
}
