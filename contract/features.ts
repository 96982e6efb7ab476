// Features that the owner can open to some members first. The only list of their names.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const features = {
  daily_mixes: {
    title: 'Daily mixes',
    about: 'Mixes made each day of what a Premium member likes, on the start page.',
  },
  song_path: {
    title: 'Song path',
    about: 'A way from one song to another, over songs that are similar.',
  },
} as const
export type FeatureName = keyof typeof features
export const featureNames = Object.keys(features) as [FeatureName, ...FeatureName[]]

/** Each includes those before it. */
export const featureAudiences = ['nobody', 'yearly', 'premium', 'everyone'] as const
export type FeatureAudience = (typeof featureAudiences)[number]

export const listMyFeatures = endpoint({
  method: 'GET',
  path: '/api/features',
  summary: 'The features that are open to the member, of those that the owner can switch.',
  access: 'member',
  output: z.object({
    data: z.array(z.enum(featureNames)).check(z.describe('Names of features.')),
  }),
})
