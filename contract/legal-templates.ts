// Templates for the pages in the footer. The owner replaces each placeholder in [[ ]]; a page that still has one cannot
// be published. The templates are not legal advice, and the first placeholder reminds the owner to have the text
// checked.
import type { FooterPage } from './legal.ts'

const marker = /\[\[([\s\S]*?)\]\]/g

/** Returns the placeholders that a text still contains. */
export function findPlaceholders(text: string): string[] {
  return [...text.matchAll(marker)].map(([, part = '']) => part.trim())
}

export function isUnfinished(text: string): boolean {
  return text.includes('[[')
}

interface LegalTemplate {
  title: string
  text: string
}

const check =
  '[[Read every sentence, change what does not apply to your service, have the text checked by a lawyer in your country, and delete this part.]]'

export const legalTemplates: Record<FooterPage, LegalTemplate> = {
  terms: {
    title: 'Terms of Service',
    text: `${check}

## Who provides this service

[[Your name or company, postal address and email address]]

## What you get

You can listen to music here, like it and add it to playlists. Without a paid plan you hear previews and can have one playlist. Premium includes full-length playback, high quality and downloads for offline listening, as described on the plans page.

## Your account

- You are at least [[age, such as 16]] years old, or your parents agree.
- Do not share your password. Each account is for one person.
- You can download your data and request the deletion of your account on your profile at any time.

## Premium

- A paid plan renews every [[month or year]] until you cancel it.
- You can cancel at any time. The plan then ends with the paid period.
- [[Right of withdrawal and refunds, as required by the law of your country]]

## The music

- The music is for your personal listening. You may not copy or share recordings, or use them to train AI models.
- Each track states whether people, AI or both made it.

## What is not allowed

Do not disrupt the service, attack it, or present it as your own. We may block accounts that do.

## Liability and law

[[What you are liable for, which law applies, and which court has jurisdiction]]

## Changes

If these terms change in a way that affects you, you are asked to agree before you continue. Earlier versions are listed at the end of this page.
`,
  },
  privacy: {
    title: 'Privacy Policy',
    text: `${check}

## Who is responsible

[[Your name or company, postal address and email address; the data protection officer if you need one]]

## What is stored, and why

- **Your account:** email address, name, picture if you set one, a hash of your password, your role and plan. Needed to sign you in.
- **Your activity:** likes, playlists, and what you played and when. Needed for your lists and recommendations, and for statistics about the music.
- **Sessions and devices:** the type of browser and the time of its last use, so that you can see where you are signed in.
- **Payments:** amount, time and payment ids. Card data never reaches this service.
- **Logs:** technical entries that contain IP addresses, kept for [[how long your server and proxy keep logs]].

## Who else receives data

[[Your hosting company, your mail provider, Stripe if you sell plans, and any storage or CDN: name, country, contract]]

## Cookies

There is one cookie for signing in and one for the width of a sidebar. There is no third-party tracking.

## How long data is kept

[[How long you keep accounts, payments and backups]]

## Your rights

On your profile you can download everything stored about you, correct it, and request its deletion. You can complain to [[the data protection authority of your country]].
`,
  },
  contact: {
    title: 'Contact Us',
    text: `[[Your name or company]]
[[Postal address]]

Email: [[email address]]

[[Telephone, registration number, tax number, as required by the law of your country]]
`,
  },
}
