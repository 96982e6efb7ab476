// Features that the owner can open to some members first. All feature names are listed here only.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const features = {
  daily_mixes: {
    title: 'Daily mixes',
    about: 'Mixes based on what a Premium member likes, created daily for the start page.',
  },
  song_path: {
    title: 'Song path',
    about: 'A path from one song to another through similar songs.',
  },
} as const
export type FeatureName = keyof typeof features
export const featureNames = Object.keys(features) as [FeatureName, ...FeatureName[]]

/** The audiences of a feature. Each includes those before it in the list. */
export const featureAudiences = ['nobody', 'yearly', 'premium', 'everyone'] as const
export type FeatureAudience = (typeof featureAudiences)[number]

export const listMyFeatures = endpoint({
  method: 'GET',
  path: '/api/features',
  summary: 'The owner-controlled features that are open to the member.',
  access: 'member',
  output: z.object({
    data: z.array(z.enum(featureNames)).check(z.describe('Names of features.')),
  }),
})
