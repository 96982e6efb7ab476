// Coupons, promotion codes and prices of the fake Stripe.
import type { Stripe } from 'stripe'
import type { FakeCoupon, Part } from './stripe-shape.ts'
import { errorBody, type FakeResponse } from './fake-responses.ts'

export interface FakePromotionCode extends Part<Stripe.PromotionCode> {
  id: string
  object: 'promotion_code'
  code: string
  active: boolean
  customer: string | null
  created: number
  expires_at: number | null
  max_redemptions: number | null
  times_redeemed: number
  promotion: { type: 'coupon'; coupon: FakeCoupon }
  restrictions: { first_time_transaction: boolean }
}

export interface FakePromotions {
  codes: FakePromotionCode[]
  coupons: Map<string, FakeCoupon>
  /** The product of each price. A price that is not listed has its own product. */
  products: Map<string, string>
  /** Returns null if the path is not one of coupons, promotion codes or prices. */
  answer: (
    method: string,
    path: string,
    query: URLSearchParams,
    form: Record<string, string>,
  ) => FakeResponse | null
}

export function createFakePromotions(): FakePromotions {
  const codes: FakePromotionCode[] = []
  const coupons: FakePromotions['coupons'] = new Map()
  const products: FakePromotions['products'] = new Map()
  const ok = (body: object): FakeResponse => ({ status: 200, body })
  const missing: FakeResponse = { status: 404, body: errorBody('resource_missing') }

  function createCoupon(form: Record<string, string>): FakeResponse {
    const { id = `coupon_${coupons.size + 1}` } = form
    if (coupons.has(id)) return { status: 400, body: errorBody('resource_already_exists') }
    const product = form['applies_to[products][0]']
    const coupon = {
      id,
      object: 'coupon' as const,
      valid: true,
      name: form.name ?? null,
      percent_off: parseNumber(form.percent_off),
      amount_off: parseNumber(form.amount_off),
      currency: form.currency ?? null,
      duration: durations.find((one) => one === form.duration) ?? 'once',
      duration_in_months: parseNumber(form.duration_in_months),
      ...(product && { applies_to: { products: [product] } }),
    } satisfies FakeCoupon
    coupons.set(id, coupon)
    return ok(coupon)
  }

  function createCode(form: Record<string, string>): FakeResponse {
    const { code = '' } = form
    if (codes.some((one) => one.active && one.code === code)) {
      return { status: 400, body: errorBody('parameter_invalid') }
    }
    const made: FakePromotionCode = {
      id: `promo_${codes.length + 1}`,
      object: 'promotion_code',
      code,
      active: true,
      customer: null,
      created: Math.floor(Date.now() / 1000),
      expires_at: parseNumber(form.expires_at),
      max_redemptions: parseNumber(form.max_redemptions),
      times_redeemed: 0,
      promotion: {
        type: 'coupon',
        coupon: coupons.get(form['promotion[coupon]'] ?? '') ?? { id: 'none' },
      },
      restrictions: {
        first_time_transaction: form['restrictions[first_time_transaction]'] === 'true',
      },
    }
    codes.unshift(made)
    return ok(made)
  }

  return {
    codes,
    coupons,
    products,
    answer(method, path, query, form) {
      const [, , kind, id] = path.split('/')
      if (kind === 'prices' && id) {
        return ok({ id, object: 'price', product: products.get(id) ?? `prod_of_${id}` })
      }
      if (kind === 'coupons') {
        if (method === 'POST') return createCoupon(form)
        return coupons.delete(id ?? '') ? ok({ id, object: 'coupon', deleted: true }) : missing
      }
      if (kind !== 'promotion_codes') return null
      if (method === 'GET') {
        const data = codes.filter(
          ({ code, active }) =>
            (!query.has('code') || query.get('code') === code) &&
            (!query.has('active') || query.get('active') === String(active)),
        )
        return ok({ object: 'list', data, has_more: false, url: path })
      }
      if (!id) return createCode(form)
      const found = codes.find((one) => one.id === id)
      if (!found) return missing
      return ok(Object.assign(found, { active: form.active !== 'false' }))
    },
  }
}

const durations = ['forever', 'once', 'repeating'] satisfies Stripe.Coupon.Duration[]

function parseNumber(text: string | undefined): number | null {
  return text === undefined ? null : Number(text)
}
