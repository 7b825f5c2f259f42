// Command main calls a server with the generated clients, and prints the results.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"

	"generated-clients/companion"
	"generated-clients/openapi"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func pointer[T any](value T) *T { return &value }

func main() {
	background := context.Background()
	url, value := os.Getenv("BASE_URL"), os.Getenv("INDICATOR")

	anonymous := must(openapi.NewClientWithResponses(url))
	token := must(anonymous.Oauth2AccessTokenWithFormdataBodyWithResponse(background, openapi.TokenRequest{
		ClientId:     pointer(os.Getenv("CLIENT_ID")),
		ClientSecret: pointer(os.Getenv("CLIENT_SECRET")),
	})).JSON201
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token.AccessToken)
		return nil
	}
	client := must(openapi.NewClientWithResponses(url, openapi.WithRequestEditorFn(authorize)))

	listed := must(client.IndicatorCombinedV1WithResponse(background, &openapi.IndicatorCombinedV1Params{
		Limit: pointer(2),
	})).JSON200

	created := must(client.IndicatorCreateV1WithResponse(background, nil, openapi.IndicatorCreateRequest{
		Indicators: []openapi.IndicatorInput{{
			Type:            openapi.INDICATORTYPEDOMAIN,
			Value:           value,
			Severity:        pointer(openapi.INDICATORSEVERITYHIGH),
			Action:          pointer(openapi.INDICATORACTIONDETECT),
			Platforms:       []openapi.IndicatorPlatform{openapi.INDICATORPLATFORMLINUX},
			AppliedGlobally: pointer(true),
		}},
	})).JSON201
	read := must(client.IndicatorGetV1WithResponse(background, &openapi.IndicatorGetV1Params{
		Ids: []string{(*created)[0].Id},
	})).JSON200
	missing := must(client.IndicatorGetV1WithResponse(background, &openapi.IndicatorGetV1Params{
		Ids: []string{strings.Repeat("f", 64)},
	})).JSON404

	hosts := must(companion.NewClientWithResponses(url, companion.WithRequestEditorFn(authorize)))
	groups := must(hosts.QueryCombinedHostGroupsWithResponse(background, &companion.QueryCombinedHostGroupsParams{
		Limit: pointer(2),
	})).JSON200

	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"token_type": token.TokenType,
		"listed":     len(*listed),
		"created":    (*created)[0].Value,
		"read":       (*read)[0].Value,
		"severity":   (*read)[0].Severity,
		"missing":    missing.Errors[0].Code,
		"groups":     len(*groups),
	}))
}
