// Templates for the pages in the footer. The owner replaces each placeholder in [[ ]]; a page that still has one cannot
// be published. The templates are not legal advice, and the first placeholder reminds the owner to have the text
// checked.
import type { FooterPage } from './legal.ts'

const marker = /\[\[([\s\S]*?)\]\]/g

/** The placeholders that remain in a text. */
export function openParts(text: string): string[] {
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
  '[[Read every sentence, change what is not so for your service, have it checked where you are, and delete this part.]]'

export const legalTemplates: Record<FooterPage, LegalTemplate> = {
  terms: {
    title: 'Terms of Service',
    text: `${check}

## Who offers this service

[[Your name or company, postal address and mail address]]

## What you get

You can listen to music here, like it and put it into playlists. Without a paid plan you hear previews and can have one playlist. Premium gives full-length playback, high quality and downloads for offline listening, as the page with the plans describes it.

## Your account

- You are at least [[age, such as 16]] years old, or your parents agree.
- Keep your password to yourself. One account is for one person.
- You can download your data and ask for deletion of your account on your profile at any time.

## Premium

- A paid plan renews by [[month or year]] until you cancel it.
- You can cancel at any time; it then ends with the period that is paid.
- [[Right of withdrawal and refunds: what the law of your country asks you to say]]

## The music

- Music here is for your own listening. Recordings must not be copied, shared or used to train models.
- Each track says whether people, a machine or both made it.

## What is not allowed

Do not disturb the service, break into it, or pass it on as your own. We may block an account that does.

## Liability and law

[[What you are liable for, which law applies, and which court is responsible]]

## Changes

When these terms change in a way that matters to you, you are asked to agree before you go on. Earlier versions can be read at the end of this page.
`,
  },
  privacy: {
    title: 'Privacy Policy',
    text: `${check}

## Who is responsible

[[Your name or company, postal address and mail address; the data protection officer if you need one]]

## What is stored, and why

- **Your account:** mail address, name, picture if you set one, a hash of your password, your role and plan. Needed to sign you in.
- **What you do here:** likes, playlists, what you played and when. Needed for your lists and recommendations, and for figures about the music.
- **Sessions and devices:** the kind of browser and the time of its last use, so that you see where you are signed in.
- **Payments:** amount, time and the ids of the payment. Card data never reach this service.
- **Logs:** technical entries that hold internet addresses for [[how long your server and proxy keep logs]].

## Who else receives data

[[Your hosting company, your mail provider, Stripe if you sell plans, and any storage or CDN: name, country, contract]]

## Cookies

There is one cookie for the sign-in and one for the width of a sidebar. There is no tracking by others.

## How long it is kept

[[How long you keep accounts, payments and backups]]

## Your rights

You can download everything that is stored about you on your profile, correct it, and have it deleted. You can complain to [[the authority where you are]].
`,
  },
  contact: {
    title: 'Contact Us',
    text: `[[Your name or company]]
[[Postal address]]

Mail: [[mail address]]

[[Telephone, register number, tax number: what the law of your country asks for]]
`,
  },
}
