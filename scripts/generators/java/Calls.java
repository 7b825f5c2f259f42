import com.google.gson.Gson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import openapi.model.IndicatorAction;
import openapi.model.IndicatorCreateRequest;
import openapi.model.IndicatorInput;
import openapi.model.IndicatorPlatform;
import openapi.model.IndicatorSeverity;
import openapi.model.IndicatorType;

/** Calls a server with the generated clients, and prints the results. */
public final class Calls {
  public static void main(String[] words) throws Exception {
    var url = System.getenv("BASE_URL");

    var anonymous = new openapi.ApiClient().setBasePath(url);
    var token =
        new openapi.api.OAuth2Api(anonymous)
            .oauth2AccessToken(
                System.getenv("CLIENT_ID"), System.getenv("CLIENT_SECRET"), null, null, null);
    var client = new openapi.ApiClient().setBasePath(url);
    client.setAccessToken(token.getAccessToken());
    var ioc = new openapi.api.IocApi(client);

    var listed = ioc.indicatorCombinedV1(null, null, 2, null, null, null);

    var indicator =
        new IndicatorInput()
            .type(IndicatorType.INDICATOR_TYPE_DOMAIN)
            .value(System.getenv("INDICATOR"))
            .severity(IndicatorSeverity.INDICATOR_SEVERITY_HIGH)
            .action(IndicatorAction.INDICATOR_ACTION_DETECT)
            .platforms(Set.of(IndicatorPlatform.INDICATOR_PLATFORM_LINUX))
            .appliedGlobally(true);
    var request = new IndicatorCreateRequest().indicators(List.of(indicator));
    var created = ioc.indicatorCreateV1(request, null, null, null);
    var read = ioc.indicatorGetV1(List.of(created.get(0).getId()));
    int missing = 0;
    try {
      ioc.indicatorGetV1(List.of("f".repeat(64)));
    } catch (openapi.ApiException error) {
      missing = openapi.model.Envelope.fromJson(error.getResponseBody()).getErrors().get(0).getCode();
    }

    var other = new companion.ApiClient().setBasePath(url);
    other.setAccessToken(token.getAccessToken());
    var groups =
        new companion.api.CompanionApi(other).queryCombinedHostGroups(null, null, 2, null);

    Map<String, Object> results = new LinkedHashMap<>();
    results.put("token_type", token.getTokenType());
    results.put("listed", listed.size());
    results.put("created", created.get(0).getValue());
    results.put("read", read.get(0).getValue());
    results.put("severity", read.get(0).getSeverity().getValue());
    results.put("missing", missing);
    results.put("groups", groups.size());
    System.out.println(new Gson().toJson(results));
    // The HTTP client keeps threads.
    System.exit(0);
  }
}
