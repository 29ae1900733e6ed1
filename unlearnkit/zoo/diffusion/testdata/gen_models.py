"""Makes small random models with diffusers and writes what they compute.

HF_HUB_OFFLINE=1 python gen_models.py

Each folder holds a model as diffusers saves it (weights in half precision, to be small) and reference.safetensors:
inputs, outputs, a loss, its gradients by every parameter, and ten steps of AdamW. Weights, norms and biases are drawn
anew, away from what they are initialised to. All is computed in float64, so that a comparison shows the errors of the
other side alone.
"""

import json, pathlib, shutil
import diffusers, torch, transformers
from diffusers import AutoencoderKL, DDIMScheduler, PNDMScheduler, StableDiffusionPipeline, UNet2DConditionModel
from safetensors.torch import save_file
from transformers import CLIPTextConfig, CLIPTextModel

torch.set_num_threads(1)
HERE = pathlib.Path(__file__).parent
RATE, STEPS = 2e-3, 10


def draw(model, seed):
    """Redraws all parameters and rounds them to half precision."""
    generator = torch.Generator().manual_seed(seed)
    for name, p in model.named_parameters():
        noise = torch.randn(p.shape, generator=generator)
        if p.ndim > 1:
            value = noise / p[0].numel() ** 0.5
        elif "norm" in name and name.endswith("weight"):
            value = 1 + 0.3 * noise
        else:
            value = 0.2 * noise
        p.data = value.half().double()
    return model.eval()


def save(name, model, reference):
    folder = HERE / name
    shutil.rmtree(folder, ignore_errors=True)
    model.half().save_pretrained(folder)
    save_file({k: v.contiguous() for k, v in reference.items()}, folder / "reference.safetensors")


def gradients(model, loss, trained=True):
    """The loss, its gradients, and the losses and, if wanted, last parameters of ten steps of AdamW."""
    reference = {}
    value = loss()
    value.backward()
    reference["loss"] = value.detach().float().reshape(1)
    for name, p in model.named_parameters():
        reference["gradient." + name] = p.grad.float()
    start = {name: p.detach().clone() for name, p in model.named_parameters()}
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.99), eps=1e-3, weight_decay=0.05)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        value = loss()
        value.backward()
        optimizer.step()
        losses.append(value.item())
    reference["losses"] = torch.tensor(losses)
    for name, p in model.named_parameters():
        if trained:
            reference["trained." + name] = p.detach().float().half()
        p.data = start[name]
    return reference


def unet(name, seed, size, timesteps, words, trained, **config):
    model = draw(UNet2DConditionModel(**config).double(), seed)
    generator = torch.Generator().manual_seed(seed + 1)
    normal = lambda *shape: torch.randn(*shape, generator=generator)
    sample, context = normal(2, config["in_channels"], *size), normal(2, words, config["cross_attention_dim"])
    target = normal(2, config["out_channels"], *size)
    t = torch.tensor(timesteps)
    run = lambda: model(sample.double(), t, context.double()).sample
    output = run()
    reference = dict(
        sample=sample, timestep=t.int(), encoder_hidden_states=context, target=target, output=output.detach().float()
    )
    reference |= gradients(model, lambda: ((run() - target.double()) ** 2).mean(), trained)
    print(name, sum(p.numel() for p in model.parameters()), "parameters, output", output.std().item())
    return model, reference


def vae(name, seed, size, **config):
    model = draw(AutoencoderKL(**config).double(), seed)
    generator = torch.Generator().manual_seed(seed + 1)
    sample = torch.randn(2, 3, *size, generator=generator)
    factor = 2 ** (len(config["block_out_channels"]) - 1)
    noise = torch.randn(2, config["latent_channels"], size[0] // factor, size[1] // factor, generator=generator)

    def run():
        posterior = model.encode(sample.double()).latent_dist
        latent = posterior.mean + posterior.std * noise.double()
        return posterior, latent, model.decode(latent).sample

    def loss():
        posterior, _, output = run()
        return ((output - sample.double()) ** 2).mean() + 0.01 * (
            posterior.mean**2 + posterior.var - posterior.logvar
        ).mean()

    posterior, latent, output = run()
    reference = dict(
        sample=sample,
        noise=noise,
        mean=posterior.mean,
        logvar=posterior.logvar,
        latent=latent,
        output=output,
        reconstruction=model.decode(posterior.mean).sample,
    )
    reference = {k: v.detach().float() for k, v in reference.items()} | gradients(model, loss)
    print(name, sum(p.numel() for p in model.parameters()), "parameters, output", output.std().item())
    return model, reference


def text_encoder(seed):
    config = CLIPTextConfig(
        vocab_size=30,
        hidden_size=10,
        intermediate_size=17,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=7,
        hidden_act="quick_gelu",
        eos_token_id=29,
        bos_token_id=28,
        pad_token_id=29,
    )
    return draw(CLIPTextModel(config).double(), seed)


def pipeline(unet, vae, text, seed):
    """Text to image from given ids, latents and noise: by StableDiffusionPipeline itself with its own scheduler, and
    with DDIM, whose noise is given, as it does."""
    generator = torch.Generator().manual_seed(seed)
    normal = lambda *shape: torch.randn(*shape, generator=generator)
    latents, noise = normal(2, 4, 4, 8), normal(8, 2, 4, 4, 8)
    prompt, empty = torch.tensor([[28, 4, 11, 29, 29, 29, 29], [28, 7, 2, 19, 0, 29, 29]]), torch.tensor(
        [[28, 29, 29, 29, 29, 29, 29]]
    )
    hidden, without_words = text(prompt).last_hidden_state.detach(), text(empty).last_hidden_state.detach()
    sd = dict(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", steps_offset=1)
    whole = StableDiffusionPipeline(
        vae=vae,
        text_encoder=text,
        tokenizer=None,
        unet=unet,
        scheduler=PNDMScheduler(skip_prk_steps=True, **sd),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    )
    whole.set_progress_bar_config(disable=True)
    plms = whole(
        prompt_embeds=hidden,
        negative_prompt_embeds=without_words.expand(2, -1, -1),
        latents=latents.double(),
        num_inference_steps=8,
        guidance_scale=7.5,
        height=8,
        width=16,
        output_type="latent",
    ).images

    scheduler = DDIMScheduler(clip_sample=False, set_alpha_to_one=False, **sd)
    scheduler.set_timesteps(8)
    ddim = latents.double()
    for k, t in enumerate(scheduler.timesteps):
        without, with_prompt = unet(
            torch.cat([ddim, ddim]), t, torch.cat([without_words.expand(2, -1, -1), hidden])
        ).sample.chunk(2)
        ddim = scheduler.step(
            without + 7.5 * (with_prompt - without), t, ddim, eta=1.0, variance_noise=noise[k].double()
        ).prev_sample
    reference = {
        "latents": latents,
        "noise": noise,
        "prompt": prompt.int(),
        "empty": empty.int(),
        "hidden": hidden.float(),
    }
    for name, x in (("plms", plms), ("ddim", ddim)):
        print(name, x.std().item())
        reference[name + ".latents"] = x.detach().float()
        reference[name + ".image"] = vae.decode(x / vae.config.scaling_factor).sample.detach().float()
    folder = HERE / "pipeline"
    for part in ("text_encoder", "scheduler"):
        shutil.rmtree(folder / part, ignore_errors=True)
    text.half().save_pretrained(folder / "text_encoder")
    whole.scheduler.save_pretrained(folder / "scheduler")
    save_file({k: v.contiguous() for k, v in reference.items()}, folder / "reference.safetensors")


a, a_reference = unet(
    "unet",
    1,
    (7, 9),
    [617, 3],
    5,
    True,
    in_channels=3,
    out_channels=5,
    block_out_channels=(8, 12),
    layers_per_block=1,
    norm_num_groups=4,
    norm_eps=1e-4,
    attention_head_dim=2,
    cross_attention_dim=10,
    down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
    up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"),
)
b, b_reference = unet(
    "pipeline/unet",
    2,
    (6, 5),
    [401, 401],
    7,
    False,
    in_channels=4,
    out_channels=4,
    block_out_channels=(6, 6, 9),
    layers_per_block=[1, 2, 1],
    norm_num_groups=3,
    attention_head_dim=[2, 3, 3],
    cross_attention_dim=10,
    transformer_layers_per_block=[1, 1, 2],
    use_linear_projection=True,
    flip_sin_to_cos=False,
    freq_shift=1,
    down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
    up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
)
c, c_reference = vae(
    "pipeline/vae",
    3,
    (10, 14),
    block_out_channels=(6, 9),
    layers_per_block=1,
    norm_num_groups=3,
    latent_channels=4,
    scaling_factor=0.35,
    down_block_types=("DownEncoderBlock2D",) * 2,
    up_block_types=("UpDecoderBlock2D",) * 2,
)
pipeline(b, c, text_encoder(5), 4)
save("unet", a, a_reference)
save("pipeline/unet", b, b_reference)
save("pipeline/vae", c, c_reference)
(HERE / "versions.json").write_text(
    json.dumps(dict(diffusers=diffusers.__version__, transformers=transformers.__version__, torch=torch.__version__))
    + "\n"
)
