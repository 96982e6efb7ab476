// Formats database enum values for display.

/** `premium` → `Premium` */
export function titleCase(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ')
}
