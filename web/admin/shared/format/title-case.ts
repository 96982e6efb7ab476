// Formats values of database enums for display.

/** Starts the word with a capital letter: `premium` becomes `Premium`. */
export function titleCase(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ')
}
