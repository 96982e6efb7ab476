// The landing page. Its previews can be played before the app has loaded.
import { CategoryTiles } from './category-tiles.tsx'
import { FeatureCards } from './feature-cards.tsx'
import { Hero } from './hero.tsx'
import { PlanComparison } from './plan-comparison.tsx'
import { SiteFooter } from './site-footer.tsx'

export function LandingScreen() {
  return (
    <>
      <Hero />
      <CategoryTiles />
      <FeatureCards />
      <PlanComparison />
      <SiteFooter />
    </>
  )
}
