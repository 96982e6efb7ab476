// How a track was made, for its badge and the tags of its files.

export const aiDisclosures = ['human', 'ai_assisted', 'ai_generated'] as const
export type AiDisclosure = (typeof aiDisclosures)[number]

/** Labels of the badge. */
export const aiDisclosureLabels: Record<AiDisclosure, string> = {
  human: 'Made by humans',
  ai_assisted: 'AI-assisted',
  ai_generated: 'AI-generated',
}
