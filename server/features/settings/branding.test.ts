import { expect, test } from 'vitest'
import { contrast, parseHex } from '#contract/fields/accent.ts'
import type { BrandingRow } from '../../platform/db/tables.ts'
import { mailLook, resolveBranding } from './branding.ts'

const config = {
  brandName: 'From Env',
  artistName: 'From Env',
  contactEmail: 'hello@env.test',
  mailFrom: 'From Env <post@env.test>',
  isMailFromSet: true,
  publicUrl: 'https://env.test',
}
const empty: BrandingRow = {
  id: 1,
  brand_name: null,
  tagline: null,
  artist_name: null,
  contact_email: null,
  accent: null,
  landing_lead: null,
  moods_heading: null,
  features_heading: null,
  plans_heading: null,
  landing_tracks: [],
  social_links: [],
  footer_links: [],
  logo_id: null,
  logo_width: null,
  logo_height: null,
  icon_id: null,
  updated_at: null,
  version: 1,
  changed_by: null,
  changed_at: null,
}
const sender = { from_name: null, from_address: null, reply_to: null }
const makeMailLook = (row: Partial<BrandingRow>, more: Partial<typeof config> = {}) => {
  const all = { ...config, ...more }
  return mailLook(all, resolveBranding(all, { ...empty, ...row }), sender)
}

test('emails use MAIL_FROM unchanged until the owner sets a name', () => {
  expect(makeMailLook({})).toMatchObject({
    brandName: 'From Env',
    from: config.mailFrom,
    picture: null,
  })
  expect(makeMailLook({ brand_name: 'Night Desk' }).from).toEqual({
    name: 'Night Desk',
    address: 'post@env.test',
  })
  expect(makeMailLook({ brand_name: 'Night Desk' }, { mailFrom: 'post@env.test' }).from).toEqual({
    name: 'Night Desk',
    address: 'post@env.test',
  })
})

test('the accent color of emails is readable on a white background', () => {
  for (const accent of ['#ffff00', '#00ff88', '#ffffff', '#2b50ff']) {
    expect(contrast(parseHex(makeMailLook({ accent }).accent), [1, 1, 1])).toBeGreaterThanOrEqual(
      4.5,
    )
  }
})

test('emails contain the icon or, if there is none, the logo in a size that fits', () => {
  const logo = { logo_id: 'a', logo_width: 480, logo_height: 120 }
  expect(makeMailLook(logo).picture).toEqual({
    url: 'https://env.test/media/branding/a/logo.png',
    width: 176,
    height: 44,
  })
  expect(makeMailLook({ ...logo, icon_id: 'b' }).picture?.url).toMatch(/\/b\/icon-180\.png$/)
})

test('keeps a configured artist name when the owner renames the service', () => {
  const named = { ...config, artistName: 'The House' }
  expect(resolveBranding(named, { ...empty, brand_name: 'Night Desk' }).artist_name).toBe(
    'The House',
  )
})
