// The name of the service with its mark, icon or logo.
import { BrandMark } from '../ui/theme/brand-mark.tsx'
import styles from './brand-name.module.css'
import { useSite } from './site.ts'

export interface BrandNameProps {
  brand_name: string
  logo: { url: string; width: number; height: number } | null
  icon_url: string | null
}

export function BrandName() {
  return <BrandNameOf {...useSite()} />
}

export function BrandNameOf({ brand_name, logo, icon_url }: BrandNameProps) {
  if (logo) {
    const { url, width, height } = logo
    return <img className={styles.logo} src={url} width={width} height={height} alt={brand_name} />
  }
  return (
    <>
      {icon_url ? (
        <img className={styles.icon} src={icon_url} width={28} height={28} alt="" />
      ) : (
        <BrandMark />
      )}
      {brand_name}
    </>
  )
}
