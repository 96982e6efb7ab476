// Products, prices and customers of the fake Stripe.
import { errorBody, type FakeResponse } from './fake-responses.ts'

interface FakePrice {
  id: string
  object: 'price'
  product: string
  active: boolean
  currency: string
  unit_amount: number
  lookup_key: string | null
  tax_behavior: string
  recurring: { interval: string }
  metadata: Record<string, string>
}

export interface FakePrices {
  products: Map<string, { id: string; object: 'product'; name: string; tax_code: string | null }>
  made: FakePrice[]
  /** For each customer, the forms of the requests that created and changed it. */
  customers: Map<string, Record<string, string>>
  /** The next request for a price creates it, but returns 500, as if the response was lost. */
  loseNextResponse: () => void
  /** Refuses new prices with this message. Null accepts them. */
  refuseWith: (message: string | null) => void
  /** Returns null if the path is not one of products, prices or customers. */
  answer: (
    method: string,
    path: string,
    query: URLSearchParams,
    form: Record<string, string>,
  ) => FakeResponse | null
}

export function createFakePrices(): FakePrices {
  const products: FakePrices['products'] = new Map()
  const made: FakePrice[] = []
  const customers: FakePrices['customers'] = new Map()
  let isLost = false
  let refusal: string | null = null
  const ok = (body: object): FakeResponse => ({ status: 200, body })

  function answerProduct(id: string, form: Record<string, string>): FakeResponse {
    const product = products.get(id)
    if (!product) return { status: 404, body: errorBody('resource_missing') }
    return ok(Object.assign(product, { name: form.name ?? product.name }))
  }

  function createProduct(form: Record<string, string>): FakeResponse {
    const { id = '', name = '', tax_code = null } = form
    if (products.has(id)) return { status: 400, body: errorBody('resource_already_exists') }
    const product = { id, object: 'product' as const, name, tax_code }
    products.set(id, product)
    return ok(product)
  }

  function createPrice(form: Record<string, string>): FakeResponse {
    if (refusal !== null) {
      const error = { type: 'invalid_request_error', message: refusal }
      return { status: 400, body: { error } }
    }
    const { lookup_key = null } = form
    for (const price of made) {
      if (price.lookup_key === lookup_key) price.lookup_key = null
    }
    const price: FakePrice = {
      id: `price_${made.length + 1}_made`,
      object: 'price',
      product: form.product ?? '',
      active: true,
      currency: form.currency ?? '',
      unit_amount: Number(form.unit_amount),
      lookup_key,
      tax_behavior: form.tax_behavior ?? 'unspecified',
      recurring: { interval: form['recurring[interval]'] ?? '' },
      metadata: { price_set: form['metadata[price_set]'] ?? '' },
    }
    made.push(price)
    if (!isLost) return ok(price)
    isLost = false
    return { status: 500, body: errorBody('api_error') }
  }

  return {
    products,
    made,
    customers,
    loseNextResponse: () => void (isLost = true),
    refuseWith: (message) => void (refusal = message),
    answer(method, path, query, form) {
      const [, , kind, id] = path.split('/')
      if (kind === 'products' && method === 'POST') {
        return id ? answerProduct(id, form) : createProduct(form)
      }
      if (kind === 'customers' && method === 'POST') {
        const customer = id ?? `cus_made_${customers.size + 1}`
        customers.set(customer, form)
        return ok({ id: customer, object: 'customer' })
      }
      if (kind !== 'prices') return null
      if (method === 'GET' && !id) {
        const data = made.filter(
          ({ product, active }) => active && product === query.get('product'),
        )
        return ok({ object: 'list', data, has_more: false, url: path })
      }
      if (!id) return createPrice(form)
      const price = made.find((one) => one.id === id)
      // Prices that the owner entered are in the fake of promotion codes.
      if (!price) return null
      return ok(
        method === 'POST' ? Object.assign(price, { active: form.active !== 'false' }) : price,
      )
    },
  }
}
