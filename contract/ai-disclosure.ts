// How a track was made, as its badge and the tags of its files say it.

export const aiDisclosures = ['human', 'ai_assisted', 'ai_generated'] as const
export type AiDisclosure = (typeof aiDisclosures)[number]

/** What a badge says about how a track was made. */
export const aiDisclosureLabels: Record<AiDisclosure, string> = {
  human: 'Made by humans',
  ai_assisted: 'AI-assisted',
  ai_generated: 'AI-generated',
}
