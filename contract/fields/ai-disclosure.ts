// How a track was made, shown as a badge and written to the tags of its files.

export const aiDisclosures = ['human', 'ai_assisted', 'ai_generated'] as const
export type AiDisclosure = (typeof aiDisclosures)[number]

/** Labels on the badge. */
export const aiDisclosureLabels: Record<AiDisclosure, string> = {
  human: 'Made by humans',
  ai_assisted: 'AI-assisted',
  ai_generated: 'AI-generated',
}
